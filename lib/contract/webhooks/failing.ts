/**
 * From when on an active webhook is said to fail, counted since its last success: after so many failed
 * attempts, or so long after the first. One failed attempt is normal: the first retry follows after 5
 * seconds.
 */
export const failingFrom = { attempts: 3, ms: 5 * 60_000 };
