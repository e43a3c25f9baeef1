// A client that oapi-codegen made of the document, as its own guide uses it.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strings"

	"example.com/roster/integrator/generated"
)

type refusal struct {
	Status     int                              `json:"status"`
	Code       generated.ErrorEnvelopeErrorCode `json:"code"`
	Used       *int                             `json:"used,omitempty"`
	Quota      *generated.Quota                 `json:"quota,omitempty"`
	RetryAfter *int                             `json:"retryAfter,omitempty"`
}

type answer struct {
	Status     int             `json:"status"`
	Total      int             `json:"total"`
	Login      string          `json:"login"`
	LastActive string          `json:"lastActive"`
	Experience float32         `json:"experience"`
	Repository string          `json:"repository"`
	Quota      generated.Quota `json:"quota"`
	RateLimit  string          `json:"rateLimit"`
}

func open(key string) *generated.ClientWithResponses {
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	client, err := generated.NewClientWithResponses(os.Getenv("ROSTER_URL"), generated.WithRequestEditorFn(withKey))
	must(err)
	return client
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func get(client *generated.ClientWithResponses, login string) *generated.GetDeveloperResponse {
	response, err := client.GetDeveloperWithResponse(context.Background(), login)
	must(err)
	return response
}

func search(client *generated.ClientWithResponses, request generated.SearchRequest) *generated.SearchDevelopersResponse {
	response, err := client.SearchDevelopersWithResponse(context.Background(), request)
	must(err)
	return response
}

// What the additions to the API answered.
func add(client, admin *generated.ClientWithResponses) map[string]any {
	ctx := context.Background()
	company, years, sort, one := "example", float32(50), generated.Experience, 1
	sorted := search(client, generated.SearchRequest{
		Location: "Germany", Company: &company, MaxExperienceYears: &years, Sort: &sort, Fields: &[]string{"name"},
	})
	batch, err := client.GetDevelopersWithResponse(ctx, generated.BatchRequest{Logins: []string{"ada-example", "nobody-here"}})
	must(err)
	changes, err := client.GetChangesWithResponse(ctx, &generated.GetChangesParams{Limit: &one})
	must(err)
	usage, err := client.GetUsageWithResponse(ctx)
	must(err)
	exported, err := admin.ExportPeopleWithResponse(ctx, &generated.ExportPeopleParams{})
	must(err)
	logins := []string{}
	for _, user := range batch.JSON200.Data.Users {
		logins = append(logins, user.Username)
	}
	return map[string]any{
		"veteran":  sorted.JSON200.Data.Results[0].Login,
		"logins":   logins,
		"missing":  batch.JSON200.Data.Missing,
		"calls":    batch.JSON200.Data.Calls,
		"change":   changes.JSON200.Data.Changes[0].Change,
		"hasNext":  changes.JSON200.Data.Next != nil,
		"plan":     usage.JSON200.Data.Plan,
		"used":     usage.JSON200.Data.Month.Used,
		"exported": strings.Split(string(exported.Body), "\n")[0],
	}
}

func main() {
	client, spent := open(os.Getenv("ROSTER_KEY")), open(os.Getenv("ROSTER_SPENT_KEY"))
	role, tooMany := "backend", 500

	found := search(client, generated.SearchRequest{Location: "Berlin", Role: &role})
	invalid := search(client, generated.SearchRequest{Location: "Berlin", MaxResults: &tooMany})
	stranger := get(open("rst_nobody"), "ada-example")
	nobody := get(client, "nobody-here")
	get(spent, "ada-example")
	over := get(spent, "ada-example")

	added := add(client, open(os.Getenv("ROSTER_ADMIN_KEY")))

	first := found.JSON200.Data.Results[0]
	must(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"answered": answer{
			Status:     found.StatusCode(),
			Total:      found.JSON200.Data.TotalCount,
			Login:      first.Login,
			LastActive: first.LastActiveDate.String(),
			Experience: first.GithubExperience,
			Repository: first.TopRepositories[0].Name,
			Quota:      found.JSON200.Meta.Quota,
			RateLimit:  found.HTTPResponse.Header.Get("RateLimit"),
		},
		"added":   added,
		"refused": refusal{Status: invalid.StatusCode(), Code: invalid.JSON400.Error.Code},
		"unknown": refusal{Status: stranger.StatusCode(), Code: stranger.JSON401.Error.Code},
		"missing": refusal{
			Status: nobody.StatusCode(),
			Code:   nobody.JSON404.Error.Code,
			Used:   &nobody.JSON404.Meta.Quota.Used,
		},
		"over": refusal{
			Status:     over.StatusCode(),
			Code:       over.JSON429.Error.Code,
			Quota:      over.JSON429.Meta.Quota,
			RetryAfter: over.Headers429.RetryAfter,
		},
	}))
}
