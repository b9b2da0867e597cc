import { parseDeliverySubject } from '#lib/contract/deliveries/delivery-subject.ts';
import { findUuid } from '#lib/find-uuid.ts';
import type { DeliveryFilter } from '#lib/queries/deliveries.ts';

/**
 * What a search of deliveries asks for: a UUID, alone or within copied text, the id of a
 * conversation, or the status of a response. A number counts as a status if it can be one, and as
 * an id after `#`. Null if the search is none of these, is incomplete, or is a 2xx status, which
 * finds nothing.
 */
export function parseDeliverySearch(
  text: string,
): Pick<DeliveryFilter, 'about' | 'statusCode'> | null {
  const search = text.trim();
  if (search === '') return {};
  const uuid = findUuid(search);
  if (uuid !== null) return { about: uuid };
  const [, status] = /^([345]\d\d)(?:\s+\D*)?$/.exec(search) ?? [];
  if (status !== undefined) return { statusCode: Number(status) };
  if (isSuccessStatus(search)) return null;
  const about = search.replace(/^#/, '');
  return parseDeliverySubject(about) === null ? null : { about };
}

/** Whether a search is a status 2xx, which nearly all deliveries have. */
export function isSuccessStatus(text: string): boolean {
  return /^2(?:\d\d|xx)$/i.test(text.trim());
}
