import type { DeliveryPosition } from './lane.rule.ts';

/** How an endpoint is. */
export type EndpointState = 'active' | 'failing' | 'paused';
export const ENDPOINT_STATES = ['active', 'failing', 'paused'] as const satisfies readonly EndpointState[];

/** Returns how an endpoint is. A subject that waits although nothing of it failed is only slow. */
export const deriveEndpointState = ({
  paused,
  position: { whole, blocked },
}: {
  readonly paused: object | null;
  readonly position: DeliveryPosition;
}): EndpointState => {
  if (paused) return 'paused';
  return whole || blocked.some(({ attempts }) => attempts > 0) ? 'failing' : 'active';
};
