/** Values of the fields that choose a model. */
export interface ModelForm {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string;
}
