// Errors as salt-api's clients know them: CherryPy's page, word for word, with the message in it.

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  413: 'Request Entity Too Large',
  426: 'Upgrade Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** An error that becomes a page: what is wrong with the request, or with who made it. */
export class ApiError extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Its page comes in chunks, as an answer does that would have been a stream. */
  readonly streamed: boolean
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}, streamed = false) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.headers = headers
    this.streamed = streamed
  }
}

/** What a request without a usable session is told. */
export const noPermission = 'No permission -- see authorization schemes'

/** The page of an error. The text is shown, never interpreted. */
export function errorPage(status: number, message: string): string {
  const heading = `${status} ${reasons[status] ?? 'Error'}`
  return `<!DOCTYPE html PUBLIC
"-//W3C//DTD XHTML 1.0 Transitional//EN"
"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html>
<head>
    <meta http-equiv="Content-Type" content="text/html; charset=utf-8"></meta>
    <title>${heading}</title>
    <style type="text/css">
    #powered_by {
        margin-top: 20px;
        border-top: 2px solid black;
        font-style: italic;
    }

    #traceback {
        color: red;
    }
    </style>
</head>
    <body>
        <h2>${heading}</h2>
        <p>${escaped(message)}</p>
        <pre id="traceback"></pre>
    <div id="powered_by">
      <span>
        Powered by <a href="http://www.cherrypy.dev">CherryPy 18.10.0</a>
      </span>
    </div>
    </body>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
