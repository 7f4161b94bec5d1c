import express from 'express'

const app = express()

app.use(express.json())
app.post('/echo', (request, response) => response.json(request.body))

app.listen(Number(process.env.PORT ?? 4000), '127.0.0.1')
