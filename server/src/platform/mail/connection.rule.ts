/** Connection to a mail server, as options of nodemailer. */
interface SmtpConnection {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly ignoreTLS?: boolean;
  readonly requireTLS?: boolean;
  readonly tls: { readonly minVersion: 'TLSv1.2'; readonly rejectUnauthorized: boolean };
  readonly auth?: { readonly user: string; readonly pass: string };
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);

/**
 * Returns the connection options for a server. Mail leaves this machine only over TLS, and certificates are always
 * checked.
 * @throws URIError, TypeError if the address cannot be read
 */
export const parseConnection = (address: string): SmtpConnection => {
  const url = new URL(address);
  const isWhole = url.protocol === 'smtps:';
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const isLocal = isLoopback(url.hostname);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (isWhole ? 465 : 587),
    secure: isWhole,
    // a server on this machine rarely has a certificate for its name
    ...(isWhole ? {} : isLocal ? { ignoreTLS: true } : { requireTLS: true }),
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true },
    ...(user === '' ? {} : { auth: { user, pass } }),
  };
};
