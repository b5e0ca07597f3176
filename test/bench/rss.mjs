import { writeFileSync } from 'node:fs';

// Loaded by `--import` before the command line. Records the largest resident set of this process.
let peak = 0;
const look = () => {
  peak = Math.max(peak, process.memoryUsage().rss);
};
look();
setInterval(look, 50).unref();
process.on('exit', () => {
  look();
  writeFileSync(process.env['RSS_FILE'], String(peak));
});
