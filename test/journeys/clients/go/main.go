// A client that oapi-codegen made of the document, as its own guide uses it.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

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

func main() {
	client, spent := open(os.Getenv("ROSTER_KEY")), open(os.Getenv("ROSTER_SPENT_KEY"))
	role, tooMany := "backend", 500

	found := search(client, generated.SearchRequest{Location: "Berlin", Role: &role})
	invalid := search(client, generated.SearchRequest{Location: "Berlin", MaxResults: &tooMany})
	stranger := get(open("rst_nobody"), "ada-example")
	nobody := get(client, "nobody-here")
	get(spent, "ada-example")
	over := get(spent, "ada-example")

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
