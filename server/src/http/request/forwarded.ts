/**
 * An address with its port, or in brackets, as some proxies write it: `192.0.2.1:8080`, `[2001:db8::1]:443`,
 * `[2001:db8::1]`.
 */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5})$/;

/** Returns an `X-Forwarded-For` header without ports and brackets. */
export const bareAddresses = (header: string): string =>
  header
    .split(',')
    .map((part) => {
      const text = part.trim();
      const [, bracketed, ipv4] = WITH_PORT.exec(text) ?? [];
      return bracketed ?? ipv4 ?? text;
    })
    .join(', ');
