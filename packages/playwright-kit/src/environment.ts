/** The variables that the kit reads, all here. */
export const environment = {
  /** The service to test, and the token of a provisioner in it. */
  url: variable('MESSAGING_URL'),
  provisionerToken: variable('MESSAGING_PROVISIONER_TOKEN'),
  /** The URL at which the service reaches the receivers of this machine, and their port. */
  receiverUrl: variable('MESSAGING_RECEIVER_URL'),
  receiverPort: variable('MESSAGING_RECEIVER_PORT'),
};

/** @throws if a variable is missing without which nothing can be tested */
export function serviceInEnvironment(): { url: string; provisionerToken: string } {
  const { url, provisionerToken } = environment;
  if (url === undefined) {
    throw new Error('Set MESSAGING_URL to the URL of the service that the tests are for.');
  }
  if (provisionerToken === undefined) {
    throw new Error(
      'Set MESSAGING_PROVISIONER_TOKEN to the token that npm run admin -- create-provisioner prints.',
    );
  }
  return { url, provisionerToken };
}

function variable(name: string): string | undefined {
  return process.env[name] || undefined;
}
