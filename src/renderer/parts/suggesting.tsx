import { Autocomplete } from '@base-ui/react/autocomplete';

interface SuggestingOf {
  readonly id: string;
  /** Label of the list. */
  readonly label: string;
  readonly described: string;
  readonly placeholder: string;
  readonly value: string;
  /** Each offer is the value to insert and its label. */
  readonly offers: readonly (readonly [value: string, name: string])[];
  onChange(value: string): void;
}

/** Text field with suggestions: arrows and Enter choose, typing filters, Escape closes. */
export function Suggesting({ id, label, described, placeholder, value, offers, onChange }: SuggestingOf) {
  return (
    <Autocomplete.Root
      items={offers}
      itemToStringValue={([offer]) => offer}
      value={value}
      onValueChange={onChange}
      openOnInputClick
    >
      <Autocomplete.Input
        id={id}
        className="suggesting"
        spellCheck={false}
        placeholder={placeholder}
        aria-describedby={described}
      />
      {offers.length > 0 && (
        <Autocomplete.Portal>
          <Autocomplete.Positioner className="menu-layer" sideOffset={4}>
            <Autocomplete.Popup className="menu suggestions">
              <Autocomplete.List aria-label={label}>
                {(offer: (typeof offers)[number]) => (
                  <Autocomplete.Item key={offer[0]} value={offer} className="menu-item">
                    <bdi>{offer[0]}</bdi>
                    {offer[1] !== offer[0] && <span className="fine"> {offer[1]}</span>}
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      )}
    </Autocomplete.Root>
  );
}
