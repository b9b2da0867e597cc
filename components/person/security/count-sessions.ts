/** "1 other session", "3 other sessions". */
export function countSessions(count: number): string {
  return `${count} other ${count === 1 ? 'session' : 'sessions'}`;
}
