/**
 * The headers of every response: no guessing of content types, no referrer to other sites, no
 * embedding or framing by other sites, and HSTS if `publicUrl` is https.
 */
export function securityHeaders(publicUrl: URL): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // Pages replace this with their own policy, which includes it.
    'Content-Security-Policy': "frame-ancestors 'none'",
    ...(publicUrl.protocol === 'https:' && {
      'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
    }),
  };
}
