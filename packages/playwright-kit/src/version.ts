/** The version of the service that this kit is for; `package.json` has the same. */
export const version = '0.1.0';
