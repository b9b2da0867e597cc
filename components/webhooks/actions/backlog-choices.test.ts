import { expect, test } from 'vitest';
import { backlogChoices } from './backlog-choices.ts';

test.each([
  [1, 'Deliver it', 'It is sent', 'Skip it', 'It is not sent,'],
  [2, 'Deliver them', 'Both are sent', 'Skip them', 'Neither is sent,'],
  [1412, 'Deliver them', 'All 1,412 are sent', 'Skip them', 'None of them is sent,'],
])('the choices for %i missed events agree with the number', (count, ...words) => {
  const [deliver, skip] = backlogChoices(count);
  const [label, description, skipLabel, skipDescription] = words;
  expect(deliver.label).toBe(label);
  expect(deliver.description.startsWith(description)).toBe(true);
  expect(skip.label).toBe(skipLabel);
  expect(skip.description.startsWith(skipDescription)).toBe(true);
});
