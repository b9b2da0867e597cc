// A step of `npm run check`: what Redocly and Spectral, with the rules they recommend, say about the
// OpenAPI document. Warnings count.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import type { RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { openApiDocument } from '#service/http/openapi.ts';

const source = JSON.stringify(openApiDocument());

const redocly = await lintFromString({
  source,
  config: await createConfig({ extends: ['recommended'] }),
});
for (const { ruleId, message, location } of redocly) {
  console.error(`Redocly ${ruleId} at ${location[0]?.pointer}: ${message}`);
}

const linter = new spectralCore.Spectral();
// Its own types make optional what the linter's types require.
const rules = spectralRulesets.oas as RulesetDefinition;
linter.setRuleset({ extends: [[rules, 'recommended']], rules: {} });
const spectral = await linter.run(source);
for (const { code, message, path } of spectral) {
  console.error(`Spectral ${code} at ${path.join('.')}: ${message}`);
}

process.exitCode = redocly.length + spectral.length === 0 ? 0 : 1;
