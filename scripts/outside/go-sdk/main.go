// The Go SDK as a client: lists the tools, calls each, and prints a line for each step, as drive.py does.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

type withKey struct{ key string }

func (with withKey) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+with.key)
	return http.DefaultTransport.RoundTrip(request)
}

func byBrowser() (*auth.AuthorizationCodeHandler, error) {
	callback := "http://127.0.0.1:43122/callback"
	return auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{
			Metadata: &oauthex.ClientRegistrationMetadata{
				ClientName:              "Go SDK",
				RedirectURIs:            []string{callback},
				TokenEndpointAuthMethod: "none",
			},
		},
		RedirectURL: callback,
		AuthorizationCodeFetcher: func(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			fmt.Println("browser", args.URL)
			line, err := bufio.NewReader(os.Stdin).ReadString('\n')
			if err != nil {
				return nil, err
			}
			sentTo, err := url.Parse(strings.TrimSpace(line))
			if err != nil {
				return nil, err
			}
			query := sentTo.Query()
			return &auth.AuthorizationResult{Code: query.Get("code"), State: query.Get("state"), Iss: query.Get("iss")}, nil
		},
	})
}

// The transport to the server at MCP_URL, or to the local server that MCP_COMMAND starts.
func choose() (mcp.Transport, error) {
	if local := os.Getenv("MCP_COMMAND"); local != "" {
		var command []string
		if err := json.Unmarshal([]byte(local), &command); err != nil {
			return nil, err
		}
		return &mcp.CommandTransport{Command: exec.Command(command[0], command[1:]...)}, nil
	}
	transport := &mcp.StreamableClientTransport{Endpoint: os.Getenv("MCP_URL"), DisableStandaloneSSE: true}
	if key := os.Getenv("MCP_KEY"); key != "" {
		transport.HTTPClient = &http.Client{Transport: withKey{key}}
		return transport, nil
	}
	handler, err := byBrowser()
	transport.OAuthHandler = handler
	return transport, err
}

func run(ctx context.Context) error {
	transport, err := choose()
	if err != nil {
		return err
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "go-sdk", Version: "1"}, nil).Connect(ctx, transport, nil)
	if err != nil {
		return err
	}
	defer session.Close()
	listed, err := session.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	names := []string{}
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
	}
	fmt.Println("listed", strings.Join(names, " "))
	var calls map[string]any
	if err := json.Unmarshal([]byte(os.Getenv("MCP_CALLS")), &calls); err != nil {
		return err
	}
	for _, name := range names {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: calls[name]})
		if err != nil {
			return err
		}
		if result.IsError || result.StructuredContent == nil {
			return fmt.Errorf("%s: %v", name, result.Content)
		}
		fmt.Println("called", name)
	}
	return nil
}

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}
