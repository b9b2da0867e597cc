/** A message of the service in which moments are shown as dates: "on 22 Nov", where it says "at". */
export function readAsDates(text: string): string {
  return text.replaceAll(/\bat (?=\d{4}-\d{2}-\d{2}T)/g, 'on ');
}
