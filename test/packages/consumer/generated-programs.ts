/**
 * Programs that use code generated from the OpenAPI document. Each makes all nine calls, provokes an error and prints
 * "works". BASE_URL and TOKEN come from the environment.
 */

const TYPESCRIPT = `
declare const process: { env: Record<string, string> };
const baseUrl = process.env['BASE_URL'] as string;
const token = process.env['TOKEN'] as string;
const headers = { Authorization: \`Bearer \${token}\` };
const review = {
  broker: 'beta-trade', rating: 4.35, language: 'en', title: 'A title', content: 'Twenty characters and more.',
};
const complaint = {
  broker: 'beta-trade', category: 'withdrawal' as const, title: 'A title', content: 'Twenty characters and more.',
  consentToForward: true,
};
const occurredAt = '2026-01-02T03:04:05Z';

/** Throws at the first answer that is not what the service holds. */
const check = (what: string, is: boolean | undefined): void => {
  if (is !== true) throw new Error(what);
};
interface Answers {
  readonly found: { data: { slug: string }[] } | undefined;
  readonly listed: { data: { color: string }[] } | undefined;
  readonly broker: { score: { value: number | null } } | undefined;
  readonly regulators: { data: { code: string }[] } | undefined;
  readonly regulator: { brokers: { slug: string }[] } | undefined;
  readonly reviews: { data: { rating: number }[] } | undefined;
  readonly reviewed: { status: string; rating: number } | undefined;
  readonly receipt: { reference: string } | undefined;
  readonly news: { data: { category: string }[] } | undefined;
  readonly problem: { code: string } | undefined;
}
const judge = (answers: Answers): void => {
  check('search', answers.found?.data.some(({ slug }) => slug === 'alpha-markets'));
  check('brokers.list', answers.listed?.data.every(({ color }) => color === 'gray'));
  check('brokers.get', typeof answers.broker?.score.value === 'number');
  check('regulators.list', answers.regulators?.data.some(({ code }) => code === 'fca'));
  check('regulators.get', answers.regulator?.brokers.some(({ slug }) => slug === 'alpha-markets'));
  check('reviews.list', answers.reviews?.data.length === 1);
  check('reviews.create', answers.reviewed?.status === 'pending' && answers.reviewed.rating === 4.35);
  check('complaints.create', answers.receipt?.reference.startsWith('C-'));
  check('news.list', answers.news?.data.length === 2);
  check('an error', answers.problem?.code === 'broker_not_found');
  console.log('works');
};
`;

export const OPENAPI_TYPESCRIPT = `
import createClient from 'openapi-fetch';
import type { paths } from './generated/api';
${TYPESCRIPT}
const client = createClient<paths>({ baseUrl, headers });
const run = async () => {
  const path = { slug: 'alpha-markets' };
  judge({
    found: (await client.GET('/search', { params: { query: { q: 'alpha' } } })).data,
    listed: (await client.GET('/brokers', { params: { query: { color: 'gray', limit: 2 } } })).data,
    broker: (await client.GET('/brokers/{slug}', { params: { path } })).data,
    regulators: (await client.GET('/regulators')).data,
    regulator: (await client.GET('/regulators/{code}', { params: { path: { code: 'fca' } } })).data,
    reviews: (await client.GET('/reviews', { params: { query: { broker: 'alpha-markets' } } })).data,
    reviewed: (await client.POST('/reviews', { body: review })).data,
    receipt: (await client.POST('/complaints', { body: { ...complaint, occurredAt } })).data,
    news: (await client.GET('/news', { params: { query: { limit: 2 } } })).data,
    problem: (await client.GET('/brokers/{slug}', { params: { path: { slug: 'nobody' } } })).error,
  });
};
run();
`;

export const HEY_API = `
import { client } from './generated/client.gen';
import * as api from './generated/sdk.gen';
${TYPESCRIPT}
client.setConfig({ baseUrl, auth: () => token });
const run = async () => {
  judge({
    found: (await api.search({ query: { q: 'alpha' } })).data,
    listed: (await api.brokersList({ query: { color: 'gray', limit: 2 } })).data,
    broker: (await api.brokersGet({ path: { slug: 'alpha-markets' } })).data,
    regulators: (await api.regulatorsList()).data,
    regulator: (await api.regulatorsGet({ path: { code: 'fca' } })).data,
    reviews: (await api.reviewsList({ query: { broker: 'alpha-markets' } })).data,
    reviewed: (await api.reviewsCreate({ body: review })).data,
    receipt: (await api.complaintsCreate({ body: { ...complaint, occurredAt } })).data,
    news: (await api.newsList({ query: { limit: 2 } })).data,
    problem: (await api.brokersGet({ path: { slug: 'nobody' } })).error,
  });
};
run();
`;

export const ORVAL = `
import * as api from './generated/api';
${TYPESCRIPT}
const run = async () => {
  const found = await api.search({ q: 'alpha' });
  const listed = await api.brokersList({ color: 'gray', limit: 2 });
  const broker = await api.brokersGet('alpha-markets');
  const regulators = await api.regulatorsList();
  const regulator = await api.regulatorsGet('fca');
  const reviews = await api.reviewsList({ broker: 'alpha-markets' });
  const reviewed = await api.reviewsCreate(review, { headers });
  const receipt = await api.complaintsCreate({ ...complaint, occurredAt }, { headers });
  const news = await api.newsList({ limit: 2 });
  const missing = await api.brokersGet('nobody');
  judge({
    found: found.status === 200 ? found.data : undefined,
    listed: listed.status === 200 ? listed.data : undefined,
    broker: broker.status === 200 ? broker.data : undefined,
    regulators: regulators.status === 200 ? regulators.data : undefined,
    regulator: regulator.status === 200 ? regulator.data : undefined,
    reviews: reviews.status === 200 ? reviews.data : undefined,
    reviewed: reviewed.status === 201 ? reviewed.data : undefined,
    receipt: receipt.status === 201 ? receipt.data : undefined,
    news: news.status === 200 ? news.data : undefined,
    problem: missing.status === 404 ? missing.data : undefined,
  });
};
run();
`;

export const TYPESCRIPT_FETCH = `
import * as api from './generated';
${TYPESCRIPT}
const settings = new api.Configuration({ basePath: baseUrl, accessToken: token });
const run = async () => {
  const brokers = new api.BrokersApi(settings);
  const missing = await brokers.brokersGet({ slug: 'nobody' }).catch((error: unknown) => error);
  judge({
    found: await new api.SearchApi(settings).search({ q: 'alpha' }),
    listed: await brokers.brokersList({ color: 'gray', limit: 2 }),
    broker: await brokers.brokersGet({ slug: 'alpha-markets' }),
    regulators: await new api.RegulatorsApi(settings).regulatorsList(),
    regulator: await new api.RegulatorsApi(settings).regulatorsGet({ code: 'fca' }),
    reviews: await new api.ReviewsApi(settings).reviewsList({ broker: 'alpha-markets' }),
    reviewed: await new api.ReviewsApi(settings).reviewsCreate({ reviewSubmission: review }),
    receipt: await new api.ComplaintsApi(settings).complaintsCreate({
      complaintSubmission: { ...complaint, occurredAt: new Date(occurredAt) },
    }),
    news: await new api.NewsApi(settings).newsList({ limit: 2 }),
    problem: missing instanceof api.ResponseError ? api.ProblemFromJSON(await missing.response.json()) : undefined,
  });
};
run();
`;

const PYTHON_FACTS = `
occurred = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
text = dict(broker='beta-trade', title='A title', content='Twenty characters and more.')
`;

const PYTHON_CHECKS = `
assert any(broker.slug == 'alpha-markets' for broker in found.data)
assert all(broker.color == 'gray' for broker in listed.data)
assert broker.score.value > 0
assert any(one.code == 'fca' for one in regulators.data)
assert any(one.slug == 'alpha-markets' for one in regulator.brokers)
assert len(reviews.data) == 1
assert reviewed.status == 'pending' and reviewed.rating == 4.35
assert receipt.reference.startswith('C-')
assert len(news.data) == 2
assert problem.code == 'broker_not_found'
print('works')
`;

export const PYTHON = `
import datetime
import os

from generated import (
    ApiClient, BrokersApi, ComplaintsApi, ComplaintSubmission, Configuration, NewsApi, RegulatorsApi, ReviewsApi,
    ReviewSubmission, SearchApi,
)
from generated.exceptions import NotFoundException
${PYTHON_FACTS}
with ApiClient(Configuration(host=os.environ['BASE_URL'], access_token=os.environ['TOKEN'])) as api:
    found = SearchApi(api).search(q='alpha')
    listed = BrokersApi(api).brokers_list(color='gray', limit=2)
    broker = BrokersApi(api).brokers_get('alpha-markets')
    regulators = RegulatorsApi(api).regulators_list()
    regulator = RegulatorsApi(api).regulators_get('fca')
    reviews = ReviewsApi(api).reviews_list(broker='alpha-markets')
    reviewed = ReviewsApi(api).reviews_create(ReviewSubmission(**text, rating=4.35, language='en'))
    receipt = ComplaintsApi(api).complaints_create(
        ComplaintSubmission(**text, category='withdrawal', occurred_at=occurred, consent_to_forward=True)
    )
    news = NewsApi(api).news_list(limit=2)
    try:
        BrokersApi(api).brokers_get('nobody')
    except NotFoundException as error:
        problem = error.data
${PYTHON_CHECKS}`;

export const PYTHON_CLIENT = `
import datetime
import os

from generated import AuthenticatedClient
from generated.api.brokers import brokers_get, brokers_list
from generated.api.complaints import complaints_create
from generated.api.news import news_list
from generated.api.regulators import regulators_get, regulators_list
from generated.api.reviews import reviews_create, reviews_list
from generated.api.search import search
from generated.models import BrokersListColor, ComplaintSubmission, ComplaintSubmissionCategory, ReviewSubmission
${PYTHON_FACTS}
client = AuthenticatedClient(base_url=os.environ['BASE_URL'], token=os.environ['TOKEN'], raise_on_unexpected_status=True)
found = search.sync(client=client, q='alpha')
listed = brokers_list.sync(client=client, color=BrokersListColor.GRAY, limit=2)
broker = brokers_get.sync('alpha-markets', client=client)
regulators = regulators_list.sync(client=client)
regulator = regulators_get.sync('fca', client=client)
reviews = reviews_list.sync(client=client, broker='alpha-markets')
reviewed = reviews_create.sync(client=client, body=ReviewSubmission(**text, rating=4.35, language='en'))
receipt = complaints_create.sync(
    client=client,
    body=ComplaintSubmission(
        **text, category=ComplaintSubmissionCategory.WITHDRAWAL, occurred_at=occurred, consent_to_forward=True
    ),
)
news = news_list.sync(client=client, limit=2)
problem = brokers_get.sync('nobody', client=client)
${PYTHON_CHECKS}`;

export const GO = `
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	api "consumer/generated"
)

func must[T any](answer T, _ any, err error) T {
	if err != nil {
		panic(err)
	}
	return answer
}

func check(what string, is bool) {
	if !is {
		panic(what)
	}
}

func main() {
	settings := api.NewConfiguration()
	settings.Servers = api.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	client := api.NewAPIClient(settings)
	ctx := context.WithValue(context.Background(), api.ContextAccessToken, os.Getenv("TOKEN"))

	found := must(client.SearchAPI.Search(ctx).Q("alpha").Execute())
	check("search", found.Data[0].Slug == "alpha-markets")
	listed := must(client.BrokersAPI.BrokersList(ctx).Color("gray").Limit(2).Execute())
	check("brokers.list", listed.Data[0].Color == "gray")
	broker := must(client.BrokersAPI.BrokersGet(ctx, "alpha-markets").Execute())
	check("brokers.get", *broker.Score.Value.Get() > 0)
	regulators := must(client.RegulatorsAPI.RegulatorsList(ctx).Execute())
	check("regulators.list", len(regulators.Data) > 1)
	regulator := must(client.RegulatorsAPI.RegulatorsGet(ctx, "fca").Execute())
	check("regulators.get", len(regulator.Brokers) > 0)
	reviews := must(client.ReviewsAPI.ReviewsList(ctx).Broker("alpha-markets").Execute())
	check("reviews.list", len(reviews.Data) == 1)
	review := api.NewReviewSubmission("beta-trade", 4.35, "A title", "Twenty characters and more.", "en")
	reviewed := must(client.ReviewsAPI.ReviewsCreate(ctx).ReviewSubmission(*review).Execute())
	check("reviews.create", reviewed.Status == "pending" && reviewed.Rating == 4.35)
	complaint := api.NewComplaintSubmission("beta-trade", "withdrawal", "A title", "Twenty characters and more.", true)
	complaint.SetOccurredAt(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	receipt := must(client.ComplaintsAPI.ComplaintsCreate(ctx).ComplaintSubmission(*complaint).Execute())
	check("complaints.create", strings.HasPrefix(receipt.Reference, "C-"))
	news := must(client.NewsAPI.NewsList(ctx).Limit(2).Execute())
	check("news.list", len(news.Data) == 2)

	_, _, err := client.BrokersAPI.BrokersGet(ctx, "nobody").Execute()
	var failure *api.GenericOpenAPIError
	check("an error", errors.As(err, &failure))
	problem, known := failure.Model().(api.Problem)
	check("its problem", known && problem.Code == api.BROKER_NOT_FOUND)
	fmt.Println("works")
}
`;
