/** What is wrong with a value, in sentences. Several rules may give the same one. */
export function joinReasons(error: { issues: readonly { message: string }[] }): string {
  return [...new Set(error.issues.map(({ message }) => message))].join(' ');
}
