export const callOutcomes = ['succeeded', 'client_error', 'limited', 'refused', 'failed'] as const;

export type CallOutcome = (typeof callOutcomes)[number];
