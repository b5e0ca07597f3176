/** Writes a review in a bare transaction: the documents of the service, with only the driver, behind `node:http`. */
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { type AnyBulkWriteOperation, MongoClient, ObjectId } from 'mongodb';
import { announce } from './peer.ts';

interface BenchSubmission {
  readonly broker: string;
  readonly rating: number;
  readonly title: string;
  readonly content: string;
  readonly language: string;
}

const client = await MongoClient.connect(process.env['MONGODB_URL'] as string, { maxPoolSize: 50 });
const db = client.db();
const counts = db.collection<{ _id: string }>('moderationCounts');
const TEXT_KEYS = Array.from({ length: 12 }, (_, n) => n * 300_000_007);

const createDocument = (submission: BenchSubmission, accountId: string) => ({
  _id: new ObjectId(),
  ...submission,
  accountId,
  personKey: `account:${accountId}`,
  live: true,
  status: 'pending',
  author: { displayName: 'Reviewer' },
  identityVerified: true,
  createdAt: new Date(),
  textKeys: TEXT_KEYS,
});

const store = (submission: BenchSubmission, accountId: string) =>
  client.withSession((session) =>
    session.withTransaction(
      async () => {
        const review = createDocument(submission, accountId);
        const id = String(review._id);
        const count: AnyBulkWriteOperation<{ _id: string }> = {
          updateOne: {
            filter: { _id: `${review.broker} ${id.slice(-2)}` },
            update: { $inc: { 'reviews.received': 1, 'reviews.pending': 1 }, $setOnInsert: { broker: review.broker } },
            upsert: true,
          },
        };
        await db.collection('reviews').insertOne(review, { session });
        await counts.bulkWrite([count], { session });
        await db.collection('audit').insertOne(
          {
            at: review.createdAt,
            actor: { type: 'account', accountId },
            action: 'review.submitted',
            subject: { kind: 'review', id },
            before: null,
            after: { status: 'pending', rating: review.rating },
            reason: 'submitted',
          },
          { session },
        );
        return { id, brokerSlug: review.broker, status: review.status };
      },
      { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority', journal: true } },
    ),
  );

const answer = async (req: IncomingMessage): Promise<Buffer> => {
  const stored = await store((await json(req)) as BenchSubmission, String(req.headers['x-writer']));
  return Buffer.from(JSON.stringify(stored));
};

const server = createServer((req, res) => {
  answer(req).then(
    (body) => res.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body),
    (error: Error) => res.writeHead(500, { 'Content-Length': Buffer.byteLength(error.message) }).end(error.message),
  );
});
server.listen(0, '127.0.0.1', () => announce(server));
