import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Kept between runs, and not in the lockfile: 240 MB that only commands outside the gate need. */
const FOLDER = join(import.meta.dirname, '../../.cache/site');

const dependencies = {
  lighthouse: '13.5.0',
  '@expo-google-fonts/noto-sans': '0.4.2',
  '@expo-google-fonts/noto-sans-arabic': '0.4.3',
  '@expo-google-fonts/noto-sans-jp': '0.4.3',
  '@expo-google-fonts/noto-sans-mono': '0.4.2',
};

const FAMILIES = ['noto-sans', 'noto-sans-arabic', 'noto-sans-jp', 'noto-sans-mono'];
const WEIGHTS = ['400Regular', '600SemiBold', '700Bold'];
const FONT_FOLDERS = FAMILIES.flatMap((family) =>
  WEIGHTS.map((weight) => `${FOLDER}/node_modules/@expo-google-fonts/${family}/${weight}`),
);

const preferred = (generic: string, family: string): string =>
  `<match target="pattern"><test name="family"><string>${generic}</string></test>
  <edit name="family" mode="prepend" binding="strong"><string>${family}</string></edit></match>`;

/** Fonts of a usual machine: letters of Latin, Arabic and Japanese. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  ${FONT_FOLDERS.map((folder) => `<dir>${folder}</dir>`).join('\n  ')}
  <cachedir>${FOLDER}/fonts-cache</cachedir>
  ${preferred('system-ui', 'Noto Sans')}
  ${preferred('sans-serif', 'Noto Sans')}
  ${preferred('monospace', 'Noto Sans Mono')}
</fontconfig>
`;

/** Installs Lighthouse and the fonts without running scripts. */
export const siteTools = async () => {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const install = ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', install, { cwd: FOLDER });
  const fonts = join(FOLDER, 'fonts.conf');
  await writeFile(fonts, FONTS);
  return {
    /** For {@link openChromium}. */
    environment: { FONTCONFIG_FILE: fonts },
    lighthouse: (): Promise<{ default: (url: string, flags: object, config?: object) => Promise<unknown> }> =>
      import(join(FOLDER, 'node_modules/lighthouse/core/index.js')),
  };
};
