import { openChromium } from '../support/chromium.ts';
const [out, width, scheme, ...paths] = process.argv.slice(2);
const browser = await openChromium();
const page = await browser.newPage({ viewport: { width: Number(width), height: width === '360' ? 640 : 800 }, colorScheme: scheme as 'light' });
for (const path of paths) { await page.goto(`http://127.0.0.1:3200${path}`, { waitUntil: 'networkidle' }); const name = `${out}/${path.replace(/[^a-z0-9]+/gi, '_').slice(0, 60)}-${width}-${scheme}.png`; await page.screenshot({ path: name, fullPage: true, clip: undefined }); const h = await page.evaluate('document.documentElement.scrollHeight'); console.log(name, h); }
await browser.close();
