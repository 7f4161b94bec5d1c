import { expect, it } from 'vitest'
import { markdownSummary } from '../src/conformance/reports.ts'

it('a Markdown summary shows totals, broken cases with evidence, and all cases, and no markup of the service', () => {
  expect(
    markdownSummary({
      base_url: 'https://forms.example.com',
      form_id: 'guestvoice01',
      write: false,
      totals: { held: 1, broken: 1, observed: 0, skipped: 1 },
      results: [
        { rules: ['FORM-01'], title: 'lists forms', outcome: 'held', finding: null, evidence: [] },
        {
          rules: ['FORM-02', 'ENV-03'],
          title: 'filters by status',
          outcome: 'broken',
          finding: 'got <script> | **x**',
          evidence: ['GET /forms 200 ```'],
        },
        { rules: ['RATE-01'], title: 'limits', outcome: 'skipped', finding: 'needs --exhaust', evidence: [] },
      ],
      profile: {},
    }),
  ).toBe(`## Conformance: ❌ 1 of 3 cases failed

Service \`https://forms.example.com\`, form \`guestvoice01\`, read-only

| broken | held | observed | skipped |
| ---: | ---: | ---: | ---: |
| 1 | 1 | 0 | 1 |

### FORM-02, ENV-03: filters by status

got \\<script\\> \\| \\*\\*x\\*\\*

\`\`\`
GET /forms 200 '''
\`\`\`

<details><summary>All cases</summary>

| Rules | Case | Outcome | Finding |
| --- | --- | --- | --- |
| FORM-01 | lists forms | held |  |
| FORM-02, ENV-03 | filters by status | **broken** | got \\<script\\> \\| \\*\\*x\\*\\* |
| RATE-01 | limits | skipped | needs --exhaust |

</details>
`)
})
