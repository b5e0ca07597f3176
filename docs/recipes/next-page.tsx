import { createClient } from '@broker-transparency/client';
import { cache } from 'react';

/** Next.js keeps the answers, so the client keeps none. */
const client = createClient({ baseUrl: 'https://brokers.example/api/v1', store: false });

const getBroker = cache((slug: string) =>
  client.safe.brokers.get(slug, { fetchOptions: { next: { revalidate: 60, tags: [`broker:${slug}`] } } }),
);

interface Props {
  readonly params: Promise<{ readonly slug: string }>;
}

export const generateMetadata = async ({ params }: Props) => {
  const { data } = await getBroker((await params).slug);
  return { title: data?.name ?? 'No such broker' };
};

export default async function BrokerPage({ params }: Props) {
  const { data: broker, error } = await getBroker((await params).slug);
  if (error?.code === 'broker_not_found') return <p>There is no such broker.</p>; // or notFound() of next/navigation
  if (error !== undefined) throw error; // error.tsx shows it, and the last good page stays
  const { name, score } = broker;
  return (
    <main>
      <h1>{name}</h1>
      <p>
        {score.color}, {score.value ?? 'not rated'}
      </p>
      <ul>
        {score.components.map(({ key, explanation }) => (
          <li key={key}>{explanation}</li>
        ))}
      </ul>
    </main>
  );
}
