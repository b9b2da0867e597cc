/** The `data` of a successful response of the API, of whose type the test is sure. */
export async function readData<Data>(response: {
  json: () => Promise<unknown>;
}): Promise<NoInfer<Data>> {
  return ((await response.json()) as { data: Data }).data;
}
