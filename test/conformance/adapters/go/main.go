// Runs the client that oapi-codegen generates for the conformance suite.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	api "consumer/generated"
)

type task struct {
	Call      string
	Slug      string
	Broker    string
	Review    api.ReviewSubmission
	Times     int
	TimeoutMs int
}

type report struct {
	Kind   string `json:"kind"`
	Status int    `json:"status,omitempty"`
	Code   string `json:"code,omitempty"`
}

// failure is an answer that holds no value.
type failure struct{ report }

func (f *failure) Error() string { return f.Kind }

// refuse reads a problem out of an answer that holds no value.
func refuse(response *http.Response, body []byte) error {
	var problem struct{ Code string }
	if json.Unmarshal(body, &problem) == nil && problem.Code != "" {
		return &failure{report{"api", response.StatusCode, problem.Code}}
	}
	return &failure{report{"unexpected", response.StatusCode, ""}}
}

func describe(err error) report {
	var refused *failure
	var timeout net.Error
	var transport *url.Error
	var broken *net.OpError
	switch {
	case errors.As(err, &refused):
		return refused.report
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return report{Kind: "timeout"}
	case errors.As(err, &transport), errors.As(err, &broken), errors.Is(err, io.ErrUnexpectedEOF):
		return report{Kind: "network"}
	}
	return report{Kind: "unexpected"}
}

func listBrokers(ctx context.Context, client *api.ClientWithResponses) (any, error) {
	names := []string{}
	for {
		offset := len(names)
		page, err := client.BrokersListWithResponse(ctx, &api.BrokersListParams{Offset: &offset})
		if err != nil {
			return nil, err
		}
		if page.JSON200 == nil {
			return nil, refuse(page.HTTPResponse, page.Body)
		}
		for _, broker := range page.JSON200.Data {
			names = append(names, broker.Name)
		}
		if len(page.JSON200.Data) == 0 || len(names) >= int(page.JSON200.Pagination.Total) {
			return names, nil
		}
	}
}

func listReviews(ctx context.Context, client *api.ClientWithResponses, broker string) (any, error) {
	ids := []string{}
	params := api.ReviewsListParams{Broker: broker}
	for {
		page, err := client.ReviewsListWithResponse(ctx, &params)
		if err != nil {
			return nil, err
		}
		if page.JSON200 == nil {
			return nil, refuse(page.HTTPResponse, page.Body)
		}
		for _, review := range page.JSON200.Data {
			ids = append(ids, review.Id)
		}
		if page.JSON200.Pagination.NextCursor == nil {
			return ids, nil
		}
		params.Cursor = page.JSON200.Pagination.NextCursor
	}
}

func call(ctx context.Context, client *api.ClientWithResponses, t task) (any, error) {
	switch t.Call {
	case "brokers.get":
		answer, err := client.BrokersGetWithResponse(ctx, t.Slug, nil)
		if err != nil {
			return nil, err
		}
		if answer.JSON200 == nil {
			return nil, refuse(answer.HTTPResponse, answer.Body)
		}
		return answer.JSON200.Name, nil
	case "brokers.list":
		return listBrokers(ctx, client)
	case "reviews.list":
		return listReviews(ctx, client, t.Broker)
	case "reviews.create":
		answer, err := client.ReviewsCreateWithResponse(ctx, nil, t.Review)
		if err != nil {
			return nil, err
		}
		if answer.JSON201 == nil {
			return nil, refuse(answer.HTTPResponse, answer.Body)
		}
		return answer.JSON201.Id, nil
	}
	return nil, fmt.Errorf("this adapter cannot make the call %s", t.Call)
}

func main() {
	var t task
	if err := json.Unmarshal([]byte(os.Getenv("TASK")), &t); err != nil {
		panic(err)
	}
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
		return nil
	}
	client, err := api.NewClientWithResponses(
		os.Getenv("BASE_URL"),
		api.WithHTTPClient(&http.Client{Timeout: time.Duration(t.TimeoutMs) * time.Millisecond}),
		api.WithRequestEditorFn(authorize),
	)
	if err != nil {
		panic(err)
	}
	var value any
	for range t.Times {
		if value, err = call(context.Background(), client, t); err != nil {
			break
		}
	}
	outcome := map[string]any{"value": value}
	if err != nil {
		outcome = map[string]any{"error": describe(err)}
	}
	line, err := json.Marshal(outcome)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(line))
}
