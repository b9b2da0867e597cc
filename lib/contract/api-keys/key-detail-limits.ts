/**
 * How long the description of a key may be and how many tags of which length it may have, in code
 * points. Forms check the same before they send anything.
 */
export const keyDetailLimits = { descriptionLength: 500, tags: 10, tagLength: 30 } as const;
