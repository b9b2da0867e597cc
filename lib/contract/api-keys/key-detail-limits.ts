/** Limits of a key's description and tags, in code points. */
export const keyDetailLimits = { descriptionLength: 500, tags: 10, tagLength: 30 } as const;
