import { readFileSync, writeFileSync } from 'node:fs';

// Loaded by `--import` before the command line. Records the largest resident set of this process, and the processor
// time in seconds of this process and of those that it started and that have ended, such as mongod.
let peak = 0;
const look = () => {
  peak = Math.max(peak, process.memoryUsage().rss);
};
look();
setInterval(look, 50).unref();

/** Processor time of ended children: Linux counts it in ticks of 10 ms. */
const childSeconds = () => {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return Number.NaN;
  }
};

process.on('exit', () => {
  look();
  const { user, system } = process.cpuUsage();
  const usage = { rss: peak, own: (user + system) / 1e6, children: childSeconds() };
  writeFileSync(process.env['RSS_FILE'], JSON.stringify(usage));
});
