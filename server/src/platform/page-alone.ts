/** Headers of every HTML page: it has its window to itself, and no device of its reader. */
export const ALONE = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;
