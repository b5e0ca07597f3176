"""Runs the client that openapi-python-client generates for the conformance suite."""

import json
import os

import httpx
from generated import AuthenticatedClient
from generated.api.brokers import brokers_get, brokers_list
from generated.api.reviews import reviews_create, reviews_list
from generated.errors import UnexpectedStatus
from generated.models import Problem, ReviewSubmission
from generated.types import Unset

task = json.loads(os.environ['TASK'])
client = AuthenticatedClient(
    base_url=os.environ['BASE_URL'],
    token=os.environ['TOKEN'],
    timeout=httpx.Timeout(task['timeoutMs'] / 1000),
    raise_on_unexpected_status=True,
)


class ApiError(Exception):
    """The API answered with a problem, or with something that the call does not return."""

    def __init__(self, status, problem):
        self.report = {'kind': 'unexpected', 'status': status}
        if isinstance(problem, Problem):
            self.report = {'kind': 'api', 'status': status, 'code': str(problem.code)}


def read(response):
    if response.status_code not in (200, 201) or response.parsed is None:
        raise ApiError(int(response.status_code), response.parsed)
    return response.parsed


def list_brokers():
    brokers = []
    while True:
        page = read(brokers_list.sync_detailed(client=client, offset=len(brokers)))
        brokers += page.data
        if not page.data or len(brokers) >= page.pagination.total:
            return [broker.name for broker in brokers]


def list_reviews():
    reviews, further = [], {}
    while True:
        page = read(reviews_list.sync_detailed(client=client, broker=task['broker'], **further))
        reviews += page.data
        cursor = page.pagination.next_cursor
        if cursor is None or isinstance(cursor, Unset):
            return [review.id for review in reviews]
        further = {'cursor': cursor}


CALLS = {
    'brokers.get': lambda: read(brokers_get.sync_detailed(task['slug'], client=client)).name,
    'brokers.list': list_brokers,
    'reviews.list': list_reviews,
    'reviews.create': lambda: read(
        reviews_create.sync_detailed(client=client, body=ReviewSubmission.from_dict(task['review']))
    ).id,
}


def run():
    try:
        for _ in range(task['times']):
            value = CALLS[task['call']]()
        return {'value': value}
    except ApiError as error:
        return {'error': error.report}
    except UnexpectedStatus as error:
        return {'error': {'kind': 'unexpected', 'status': error.status_code}}
    except httpx.TimeoutException:
        return {'error': {'kind': 'timeout'}}
    except httpx.TransportError:
        return {'error': {'kind': 'network'}}
    except (ValueError, TypeError, KeyError, AttributeError, httpx.DecodingError):
        return {'error': {'kind': 'unexpected'}}


print(json.dumps(run()))
