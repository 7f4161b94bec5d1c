# Receives Formwire webhooks with Ruby's standard library: verifies, stores each response once, responds at once.
# A Rack application: `run Receiver.new` in config.ru, `mount Receiver.new => "/webhooks"` in Rails, or `ruby serve.rb`.
%w[fileutils json openssl].each { |library| require library }

class Receiver
  class Refused < StandardError; end
  MAX_BODY = 1_048_576

  # Returns the event or raises Refused. `headers` as Rack passes them (HTTP_X_SERVICE_…), `body` as raw bytes.
  def self.verify(secrets, headers, body, now, tolerance = 300)
    signature, timestamp, event_name, delivery =
      %w[SIGNATURE TIMESTAMP EVENT DELIVERY].map { |name| headers["HTTP_X_SERVICE_#{name}"] }
    raise Refused, "missing_header" unless signature && timestamp
    # A comma joins the values of a header that was given twice.
    tokens = [event_name, delivery].compact.all?(/\A[\x21-\x2b\x2d-\x7e]{1,256}\z/)
    well_formed = tokens && signature.match?(/\Asha256=[0-9a-f]{64}\z/) && timestamp.match?(/\A(0|[1-9][0-9]{0,12})\z/)
    raise Refused, "malformed_header" unless well_formed
    age = now - timestamp.to_i
    raise Refused, age.positive? ? "timestamp_too_old" : "timestamp_in_future" if age.abs > tolerance
    digests = secrets.map { |secret| OpenSSL::HMAC.hexdigest("SHA256", secret, "#{timestamp}.".b + body.b) }
    matches = digests.any? { |digest| OpenSSL.fixed_length_secure_compare("sha256=#{digest}", signature) }
    raise Refused, "no_match" unless matches
    event = JSON.parse(body.dup.force_encoding("UTF-8"))
    raise Refused, "unexpected_payload" unless event.is_a?(Hash) && event["event"].is_a?(String)
    raise Refused, "event_mismatch" unless [nil, event["event"]].include?(event_name)
    form, response = event.values_at("form", "response").map { |value| value.is_a?(Hash) ? value : {} }
    valid = form["id"].is_a?(String) && response["id"].is_a?(Integer) && response["answers"].is_a?(Array)
    valid || !%w[response.submitted test.ping].include?(event["event"]) ? event : raise(Refused, "unexpected_payload")
  rescue JSON::ParserError
    raise Refused, "invalid_json"
  end

  def initialize(secrets: ENV.fetch("FORMWIRE_WEBHOOK_SECRET").split, inbox: ENV.fetch("INBOX", "inbox"))
    @secrets, @inbox = secrets, FileUtils.mkdir_p(inbox).first
  end

  def call(env)
    return respond(405) unless env["REQUEST_METHOD"] == "POST"
    body = env["rack.input"].read(MAX_BODY + 1) || ""
    return respond(413) if body.bytesize > MAX_BODY
    event = self.class.verify(@secrets, env, body, Time.now.to_i)
    store(event, body) if event["event"] == "response.submitted"
    respond(200)
  rescue Refused => refused
    respond(refused.message == "no_match" ? 401 : 400, refused.message)
  end

  # Stores the body under what is signed: form and response id. A worker of yours reads the folder: long work happens there.
  def store(event, body)
    file = File.join(@inbox, OpenSSL::Digest::SHA256.hexdigest(event.values_at("form", "response").map { _1["id"] }.join("/")) + ".json")
    temporary = "#{file}.#{Process.pid}.#{Thread.current.object_id}"
    File.binwrite(temporary, body)
    File.link(temporary, file) unless File.exist?(file)
  rescue Errno::EEXIST # linking is atomic: a copy that arrived at the same time was stored
  ensure
    FileUtils.rm_f(temporary)
  end

  def respond(status, text = "") = [status, { "content-type" => "text/plain" }, [text]]
end
