/** The operator of the site, as the legal pages name it. */
export type Operator = {
  name: string;
  companyName: string;
  companyPhone: string;
  companyEmail: string;
  companyAddress: string;
};

/** A paragraph or a list; plain text, no markup. */
export type LegalBlock = string | { list: string[] } | { table: { head: string[]; rows: string[][] } };

export type LegalSection = { id: string; title: string; blocks: LegalBlock[] };

export type LegalText = {
  title: string;
  /** YYYY-MM-DD */
  updatedOn: string;
  effectiveOn: string;
  /** Earlier versions of the text. */
  history: string;
  /** The most important sentences, shown first. */
  summary: string[];
  sections: LegalSection[];
};
