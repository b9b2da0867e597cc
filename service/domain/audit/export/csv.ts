/**
 * A line of a CSV file (RFC 4180). A cell that a spreadsheet would read as a formula gets a leading
 * apostrophe, which spreadsheets do not show: other people choose the names and addresses in it.
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quoted(disarmed(cell ?? ''))).join(',')}\r\n`;
}

function disarmed(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
