import type { SearchHit } from '../../contract/history-methods.ts';
import { t } from '../../language/texts.ts';
import { SpeakerAvatar } from '../agents/agent-avatar.tsx';
import { plainSnippet } from '../format/snippet.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Name } from '../parts/name.tsx';
import { apart } from '../parts/rich.tsx';
import { Ago } from '../parts/time.tsx';
import { foundParts } from './found-parts.ts';

interface HitOf {
  readonly hit: SearchHit;
  readonly words: string;
  onOpen(): void;
}

export function HitRow({ hit, words, onOpen }: HitOf) {
  const parts = foundParts(plainSnippet(hit.excerpt, 280), words);
  return (
    <li>
      <button type="button" data-item className="hit" onClick={onOpen}>
        <SpeakerAvatar name={hit.senderName} slug={hit.senderSlug} agent={hit.senderAgent} />
        <span className="hit-words">
          <span className="hit-head">
            <strong>
              <Name>{hit.senderName}</Name>
            </strong>
            <span className="soft">
              {hit.threadRootId === null
                ? apart(visibleLine(hit.roomName))
                : t.rich('search.inThread', { name: visibleLine(hit.roomName), room: apart })}
            </span>
            <span className="spacer" />
            <span className="soft">
              <Ago at={hit.sentAt} />
            </span>
          </span>
          <bdi className="hit-text">
            {parts.map((part, index) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other identity
              part.found ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>,
            )}
          </bdi>
        </span>
      </button>
    </li>
  );
}
