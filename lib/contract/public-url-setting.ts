/**
 * What every refusal contains that is about the address of the dashboard. When the listener refuses
 * an action, the page gets only the text, and shows it if it contains this.
 */
export const publicUrlSetting = 'the setting PUBLIC_URL';
