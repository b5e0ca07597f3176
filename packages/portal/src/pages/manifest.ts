import * as z from 'zod';
import { addressIn } from '../languages.ts';
import { definePage } from '../page.ts';
import { ACCENT } from '../pictures/mark.ts';
import { MANIFEST_PATH, TOUCH_ICON } from '../pictures/touch-icon.ts';
import { SERVICE_NAME } from '../service.ts';

/** Names and icons of the service for phones that put it among their applications (Web Application Manifest, W3C). */
export const manifest = definePage(MANIFEST_PATH, { params: z.object({}), query: z.object({}) }, async (context) => {
  const { texts, asset } = context;
  const { path, side } = TOUCH_ICON;
  return {
    text: JSON.stringify({
      name: SERVICE_NAME,
      lang: texts.code,
      dir: texts.direction,
      id: '/',
      start_url: addressIn(context, '/'),
      scope: '/',
      display: 'minimal-ui',
      theme_color: ACCENT,
      background_color: '#ffffff',
      icons: [
        { src: asset('icon.svg'), type: 'image/svg+xml', sizes: 'any' },
        { src: path, type: 'image/png', sizes: `${side}x${side}` },
      ],
    }),
    contentType: 'application/manifest+json',
  };
});
