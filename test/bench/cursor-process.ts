/** Measures the least cost of an export: a cursor of the driver, written to whoever connects. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { MongoClient } from 'mongodb';

const client = await MongoClient.connect(process.argv[2] as string);
const entries = client.db().collection('recordEntries');
const server = createServer(async (socket) => {
  socket.on('error', () => {});
  for await (const entry of entries.find().sort({ number: 1 }).batchSize(1000))
    if (!socket.write(`${JSON.stringify(entry)}\n`)) await once(socket, 'drain');
  socket.end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.((server.address() as AddressInfo).port);
process.on('disconnect', () => process.exit());
