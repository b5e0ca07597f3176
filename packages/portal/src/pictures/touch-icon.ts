/** The icon that phones put among their applications, and its side in pixels. */
export const TOUCH_ICON = { path: '/apple-touch-icon.png', side: 180 } as const;

/** Path of the file that names the icons of the service. */
export const MANIFEST_PATH = '/site.webmanifest';
