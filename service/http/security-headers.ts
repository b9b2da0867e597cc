/**
 * What every answer tells browsers: its type is as it says, our addresses go to no other site, no
 * other site embeds or frames it, and, where `publicUrl` is https, never to come by plain http again.
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
