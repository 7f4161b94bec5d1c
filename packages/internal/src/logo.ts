/** The logo, a form with a wire leaving it, as an SVG file. Followed by the word "Formwire" where a page names itself. */
export const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="8" fill="#3b49cf"/>
<g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round">
<path d="M8 10h10M8 16h5"/>
<path d="M8 22h4c5 0 3-6 8-6h2"/>
</g>
<circle cx="24" cy="16" r="2.6" fill="#fff"/>
</svg>
`
