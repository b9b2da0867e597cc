import 'server-only';

/** The URL at which people and clients reach the service, without a slash at the end. */
export function publicUrl(): string {
  const given = process.env['PUBLIC_URL'] ?? `http://localhost:${process.env['PORT'] ?? 3000}`;
  return given.replace(/\/+$/, '');
}
