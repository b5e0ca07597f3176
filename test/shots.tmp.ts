import { openChromium } from './support/chromium.ts';
const b = await openChromium();
const urls = (process.argv[2] ?? '').split(',');
for (const u of urls) {
  for (const [w,h,scheme,js] of [[360,640,'light',false],[1280,900,'dark',true]] as const) {
    if (process.argv[3] && process.argv[3] !== String(w)) continue;
    const c = await b.newContext({ viewport:{width:w,height:h}, colorScheme: scheme, javaScriptEnabled: js });
    const p = await c.newPage(); p.on('console', m=>console.log(u, m.text()));
    await p.goto('http://localhost:4791'+u);
    const sw = js ? await p.evaluate('document.documentElement.scrollWidth') : '';
    if (process.argv[4]) { await p.fill('#docs-q', process.argv[4]); await p.waitForSelector('#docs-found li'); }
    await p.screenshot({ path: `/tmp/docsshots/${u.replace(/\W+/g,'_')}-${w}.png`, fullPage: false });
    await p.screenshot({ path: `/tmp/docsshots/${u.replace(/\W+/g,'_')}-${w}-full.png`, fullPage: true, clip: {x:0,y:0,width:w,height:2600} });
    console.log(u,w,sw); await c.close();
  }
}
await b.close();
