/**
 * Prepares a message of the service for timestamps that are shown as dates: "at" before a timestamp
 * becomes "on".
 */
export function readAsDates(text: string): string {
  return text.replaceAll(/\bat (?=\d{4}-\d{2}-\d{2}T)/g, 'on ');
}
