import type { PersonActor } from '../../actor.ts';
import { notFound } from '../../errors.ts';
import { parseResourceReference } from '../../resource-reference.ts';
import type { IncidentReference } from '../store/incidents.ts';

/** What a path names, in the actor's account. @throws ServiceError NOT_FOUND for what is no UUID */
export function incidentNamed({ accountId }: PersonActor, text: string): IncidentReference {
  const reference = parseResourceReference(text);
  if (reference?.kind !== 'uuid') throw notFound();
  return { accountId, uuid: reference.uuid };
}
