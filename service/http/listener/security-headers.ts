/**
 * The headers of every answer: no sniffing of the content type, no referrer to other sites, no
 * embedding or framing by them, and HSTS where `publicUrl` is https.
 */
export function securityHeaders(publicUrl: URL): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // Pages replace it by their own policy, which says this as well.
    'Content-Security-Policy': "frame-ancestors 'none'",
    ...(publicUrl.protocol === 'https:' && {
      'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
    }),
  };
}
