# Receives Formwire webhooks with Ruby's standard library: verifies, stores each response once, responds at once.
# FORMWIRE_WEBHOOK_SECRET=whsec_… ruby receiver.rb. In Rails, pass request.headers and request.raw_post to verify.
%w[json openssl socket timeout].each { |library| require library }
Refused, MAX_BODY = Class.new(StandardError), 2_621_440

# Returns the event or raises Refused. `headers` by lower-case name, repeated ones joined by a comma; `body` as raw bytes.
def verify(secrets, headers, body, now, tolerance = 300)
  signature, timestamp, name, delivery = %w[signature timestamp event delivery].map { |part| headers["x-service-#{part}"] }
  raise Refused, "missing_header" unless signature && timestamp
  well_formed = "#{signature} #{timestamp}".match?(/\Asha256=[0-9a-f]{64} (0|[1-9][0-9]{0,12})\z/)
  raise Refused, "malformed_header" unless well_formed && !"#{name}#{delivery}".include?(",")
  raise Refused, "invalid_secret" if secrets.any? { |secret| secret.strip.empty? }
  age = now - timestamp.to_i
  raise Refused, age.positive? ? "timestamp_too_old" : "timestamp_in_future" if age.abs > tolerance
  signatures = secrets.map { |secret| "sha256=" + OpenSSL::HMAC.hexdigest("SHA256", secret, "#{timestamp}.".b + body.b) }
  raise Refused, "no_match" unless signatures.any? { |each| OpenSSL.fixed_length_secure_compare(each, signature) }
  event = JSON.parse(body.dup.force_encoding("UTF-8"), symbolize_names: true)
  raise Refused, "unexpected_payload" unless event in { event: String }
  raise Refused, "event_mismatch" unless [nil, event[:event]].include?(name)
  return event unless %w[response.submitted test.ping].include?(event[:event])
  (event in { form: { id: String }, response: { id: Integer, answers: Array } }) ? event : raise(Refused, "unexpected_payload")
rescue JSON::ParserError
  raise Refused, "invalid_json"
end

# Stores the body under what is signed: form and response id. A worker of yours reads the folder: long work happens there.
def store(inbox, event, body)
  file = "#{inbox}/#{OpenSSL::Digest::SHA256.hexdigest("#{event[:form][:id]}/#{event[:response][:id]}")}.json"
  temporary = "#{file}.#{Process.pid}.#{Thread.current.object_id}"
  File.binwrite(temporary, body)
  File.rename(temporary, file) # at once: copies that arrive at the same time leave one file
end

def respond(inbox, request, headers, body)
  return [200, Dir.glob("#{inbox}/*.json").size] if request == "GET /handled"
  return [405] if request != "POST /webhooks"
  event = verify(ENV.fetch("FORMWIRE_WEBHOOK_SECRET").split, headers, body, Time.now.to_i)
  store(inbox, event, body) if event[:event] == "response.submitted"
  [200]
rescue Refused => refused
  [refused.message == "no_match" ? 401 : 400, refused.message]
end

def serve(socket, inbox)
  request, *lines = socket.gets("\r\n\r\n", 16_384).to_s.split("\r\n")
  headers = lines.map { |line| line.split(/:\s*/, 2) }.group_by { _1[0].downcase }.transform_values { _1.map(&:last).join(", ") }
  body = socket.read(headers["content-length"].to_i.clamp(0, MAX_BODY)).to_s
  while headers["transfer-encoding"] && body.bytesize < MAX_BODY && (size = socket.gets("\n", 20).to_s.hex).positive?
    body << socket.read([size, MAX_BODY].min + 2).to_s[0, size]
  end
  status, text = respond(inbox, request.to_s[/\A\S+ \S+/], headers, body)
  socket.write("HTTP/1.1 #{status} #{status}\r\nContent-Length: #{text.to_s.size}\r\nConnection: close\r\n\r\n#{text}")
ensure
  socket.close
end

return unless $PROGRAM_NAME == __FILE__
Socket.tcp_server_loop("127.0.0.1", ENV.fetch("PORT", "4000")) do |socket|
  Thread.new { Timeout.timeout(10) { serve(socket, ENV.fetch("INBOX", ".")) } rescue warn($!.message) } # too slow, or gone
end
