/**
 * `POST /v2/agent-runtime/events:append` of clients from 2.0: agent actions, in fixed terms and without
 * content. This relay validates and accepts the events, so that clients do not keep them forever; it neither
 * stores nor shows them. Accepting one twice therefore has no effect.
 */

import { z } from 'zod';
import { say } from '../language/say.ts';
import { answer, type RelayContext, type RelayRequest, type RouteOutcome } from './context.ts';
import { refuseRequest } from './refusal.ts';

const maxBytes = 256 * 1024;
const reference = z.string().min(1).max(200);
const eventsSchema = z.object({
  events: z
    .array(
      z.looseObject({
        version: z.literal(1),
        event_id: reference,
        agent_id: reference,
        session_ref: reference,
        turn_ref: reference,
        scope: z.looseObject({ kind: z.literal('operator') }),
        type: z.enum([
          'turn.started',
          'activity.updated',
          'tool.updated',
          'permission.updated',
          'turn.finished',
        ]),
        occurred_at: z.union([z.string().min(1).max(40), z.number()]),
        payload: z.looseObject({}),
      }),
    )
    .min(1)
    .max(50),
});

export function appendEvents(_context: RelayContext, request: RelayRequest): RouteOutcome {
  if (request.body.length > maxBytes) return refuseRequest('PAYLOAD_TOO_LARGE', say('relay.eventsTooLarge'));
  const body = request.json(eventsSchema);
  if (!body.ok) return body;
  return answer({ accepted: body.value.events.map(({ event_id }) => ({ event_id })) });
}
