import * as z from 'zod';
import { definePage } from '../page.ts';

/** The mark of a broker. The address has the hash of the picture, so a new mark has another address. */
export const brokerMarkFile = definePage(
  '/marks/:file',
  { params: z.object({ file: z.string().regex(/^[0-9a-f]{32}\.png$/) }), query: z.object({}), isTranslated: false },
  async ({ marks }, { params: { file } }) => {
    const bytes = await marks.read(file.slice(0, 32));
    return bytes ? { unchanging: bytes, contentType: 'image/png' } : { isMissing: true };
  },
);
