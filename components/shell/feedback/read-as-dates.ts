/** Prepares a message whose timestamps are shown as dates: "at" before one becomes "on". */
export function readAsDates(text: string): string {
  return text.replaceAll(/\bat (?=\d{4}-\d{2}-\d{2}T)/g, 'on ');
}
