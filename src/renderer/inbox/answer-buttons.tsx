import { type ReactNode, type RefObject, useId, useState } from 'react';
import type { AllowScope, Approval } from '../../contract/approvals.ts';
import type { HostText } from '../../language/host-message.ts';
import { t } from '../../language/texts.ts';
import { scopeWords } from '../format/consent.ts';
import { type LastingScope, useRuleText } from '../format/rule-text.ts';
import { ExactText } from '../parts/exact-text.tsx';
import type { Decide } from '../state/approvals.ts';
import { ReasonForm } from './reason-form.tsx';

type More = 'allow' | 'deny' | null;

interface ButtonsOf {
  readonly approval: Approval;
  readonly decide: Decide;
  /** True once the preview was scrolled to its end; required before allowing. */
  readonly read: boolean;
  readonly deny: RefObject<HTMLButtonElement | null>;
}

/** Deny and "Allow once" side by side; longer grants need another step that shows their rule. */
export function AnswerButtons({ approval, decide, read, deny }: ButtonsOf) {
  const id = useId();
  const [more, setMore] = useState<More>(null);
  const [reason, setReason] = useState('');
  const flip = (which: More) => (): void => setMore(more === which ? null : which);
  const allow = (scope: AllowScope): void => void decide.run({ type: 'allow', scope });
  const isCut = approval.preview.cut === true;
  const isContact = approval.kind === 'contact';
  const lasting = isCut ? [] : lastingOffers(approval);
  const once = !isCut && approval.offers.some((offer) => offer.scope === 'once');
  return (
    <footer className="ask-foot">
      <div className="ask-buttons">
        <button
          type="button"
          ref={deny}
          className="button"
          disabled={decide.busy}
          onClick={() => void decide.run({ type: 'deny', reason: more === 'deny' ? reason.trim() : '' })}
        >
          {t(isContact ? 'consent.block' : 'consent.deny')}
        </button>
        {once && (
          <AllowButton read={read} busy={decide.busy} hint={`${id}-read`} onAllow={() => allow('once')}>
            {isContact ? t('consent.accept') : scopeWords('once')}
          </AllowButton>
        )}
        <button
          type="button"
          className="button is-plain"
          disabled={decide.busy}
          onClick={() => void decide.run({ type: 'not_now' })}
        >
          {t('consent.notNow')}
        </button>
        <span className="spacer" />
        {!isContact && (
          <button type="button" className="link" aria-expanded={more === 'deny'} onClick={flip('deny')}>
            {t('consent.denyWithReason')}
          </button>
        )}
        {lasting.length > 0 && (
          <button type="button" className="link" aria-expanded={more === 'allow'} onClick={flip('allow')}>
            {t('consent.allowMore')}
          </button>
        )}
      </div>
      {(isCut || !read) && (
        <p className="fine" id={`${id}-read`}>
          {t(isCut ? 'consent.cut' : 'consent.scrollFirst')}
        </p>
      )}
      {more === 'deny' && (
        <ReasonForm
          reason={reason}
          decide={decide}
          hint={t('consent.reasonHint')}
          send={t('consent.denyWithThis')}
          onChange={setReason}
        />
      )}
      {more === 'allow' && (
        <Offers offers={lasting} read={read} busy={decide.busy} hint={`${id}-read`} onAllow={allow} />
      )}
    </footer>
  );
}

interface AllowOf {
  readonly read: boolean;
  readonly busy: boolean;
  readonly hint: string;
  readonly children: ReactNode;
  onAllow(): void;
}

/** Uses `aria-disabled` instead of `disabled`, so that screen readers reach the button and its reason. */
function AllowButton({ read, busy, hint, children, onAllow }: AllowOf) {
  return (
    <button
      type="button"
      className="button"
      aria-disabled={!read || busy}
      aria-describedby={read ? undefined : hint}
      onClick={() => {
        if (read && !busy) onAllow();
      }}
    >
      {children}
    </button>
  );
}

interface LastingOffer {
  readonly scope: LastingScope;
  readonly rule: HostText;
}

const lastingOffers = ({ offers }: Approval): readonly LastingOffer[] =>
  offers.flatMap(({ scope, rule }) => (scope === 'once' ? [] : [{ scope, rule }]));

interface OffersOf {
  readonly offers: readonly LastingOffer[];
  readonly read: boolean;
  readonly busy: boolean;
  readonly hint: string;
  onAllow(scope: AllowScope): void;
}

function Offers({ offers, read, busy, hint, onAllow }: OffersOf) {
  return (
    <ul className="ask-more ask-offers" aria-label={t('consent.moreWays')}>
      {offers.map(({ scope, rule }) => (
        <Offer key={scope} scope={scope} rule={rule}>
          <AllowButton read={read} busy={busy} hint={hint} onAllow={() => onAllow(scope)}>
            {scopeWords(scope)}
          </AllowButton>
        </Offer>
      ))}
    </ul>
  );
}

interface OfferOf extends LastingOffer {
  readonly children: ReactNode;
}

/** Plain words, with the exact rule under them. */
function Offer({ scope, rule, children }: OfferOf) {
  const { covers, exact } = useRuleText(scope, rule);
  return (
    <li>
      <p>
        <ExactText text={covers} />
      </p>
      {exact !== null && (
        <code className="ask-rule">
          <ExactText text={exact} />
        </code>
      )}
      {children}
    </li>
  );
}
