import { writeFileSync } from 'node:fs';

// Loaded before the command line by `--import`: notes the largest resident set of this very process.
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
