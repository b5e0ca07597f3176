/** Headers of every HTML page: they isolate its window and deny access to devices. */
export const ALONE = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;
